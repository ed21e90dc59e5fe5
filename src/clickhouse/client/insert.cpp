// The body of an insert is always compressed, even on one machine. Servers of 2018 take a plain
// body that was cut off for a complete one, but they refuse a compressed body that was cut off.
#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <new>
#include <utility>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/client/connection_state.hpp"

namespace fendex::clickhouse {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

/// A stream of compressed bytes.
class Packer {
  public:
    virtual ~Packer() = default;

    /// Compresses bytes and appends what is ready; everything in the last call.
    virtual void pack(std::string_view bytes, bool is_last, std::string& out) = 0;
};

class GzipPacker : public Packer {
  public:
    explicit GzipPacker(int level) {
        constexpr int kGzip = 15 + 16;
        constexpr int kMemory = 8;
        if (deflateInit2(&stream_, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;
    ~GzipPacker() override { deflateEnd(&stream_); }

    void pack(std::string_view bytes, bool is_last, std::string& out) override {
        do {
            const auto part = bytes.substr(0, kBlock);
            bytes.remove_prefix(part.size());
            // zlib does not write to its input.
            stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
            stream_.avail_in = static_cast<uInt>(part.size());
            const int flush = is_last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
            do {
                stream_.next_out = reinterpret_cast<Bytef*>(packed_.get());
                stream_.avail_out = kBlock;
                deflate(&stream_, flush);
                out.append(packed_.get(), kBlock - stream_.avail_out);
            } while (stream_.avail_out == 0);
        } while (!bytes.empty());
    }

  private:
    z_stream stream_{};
    std::unique_ptr<char[]> packed_ = std::make_unique<char[]>(kBlock);
};

class ZstdPacker : public Packer {
  public:
    explicit ZstdPacker(int level) : context_(ZSTD_createCCtx()) {
        if (!context_) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    }

    void pack(std::string_view bytes, bool is_last, std::string& out) override {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        std::size_t left = 0;
        do {
            ZSTD_outBuffer packed{packed_.get(), kBlock, 0};
            left = ZSTD_compressStream2(context_.get(), &packed, &in,
                                        is_last ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left)) throw std::bad_alloc();
            out.append(packed_.get(), packed.pos);
        } while (in.pos < in.size || (is_last && left != 0));
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    };

    std::unique_ptr<ZSTD_CCtx, Free> context_;
    std::unique_ptr<char[]> packed_ = std::make_unique<char[]>(kBlock);
};

std::unique_ptr<Packer> packer_for(Connection::State& state) {
    const bool is_near = state.is_on_this_machine();
    if (state.takes_zstd()) return std::make_unique<ZstdPacker>(is_near ? -5 : 1);
    return std::make_unique<GzipPacker>(is_near ? 0 : 1);
}

}  // namespace

class Insert::State {
  public:
    explicit State(Connection::State& connection)
        : connection_(connection), packer_(packer_for(connection)) {}

    void write(std::string_view bytes, bool is_last) {
        packed_.clear();
        packer_->pack(bytes, is_last, packed_);
        if (packed_.empty() || connection_.send(packed_)) return;
        // The server has answered before the end of the body: the insert has failed.
        connection_.check_outcome();
        throw store::StoreError(
            store::StoreError::kUnreachable,
            to_text(connection_.url()) + ": the server did not read all rows; run this again");
    }

    void finish() {
        write({}, true);
        connection_.end_body();
        connection_.check_outcome();
    }

    void abort() noexcept { connection_.abort(); }

  private:
    Connection::State& connection_;
    std::unique_ptr<Packer> packer_;
    std::string packed_;
};

Insert::Insert(std::unique_ptr<State> state) : state_(std::move(state)) {}
Insert::Insert(Insert&&) noexcept = default;

Insert::~Insert() {
    if (state_) state_->abort();
}

void Insert::write(std::string_view bytes) { state_->write(bytes, false); }

void Insert::finish() { state_->finish(); }

Insert Connection::insert(std::string_view sql, const Settings& settings) {
    state_->version();
    state_->begin_insert(sql, settings);
    return Insert(std::make_unique<Insert::State>(*state_));
}

}  // namespace fendex::clickhouse
