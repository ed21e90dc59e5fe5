#include "serve/http/connection.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <exception>
#include <utility>

#include "base/stop_check.hpp"
#include "serve/http/reserved_memory.hpp"

namespace fendex::serve {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::size_t kReadBytes = 2048;
constexpr std::size_t kBodyReadBytes = std::size_t{64} << 10;
/// Buffers of a connection that are larger than this are freed after each answer.
constexpr std::size_t kKeptBytes = std::size_t{16} << 10;
// After a refusal the client may go on sending for kParting and up to kMostDropped bytes, which are
// dropped. If the connection were closed with unread bytes, the client might not get the answer.
constexpr std::chrono::milliseconds kParting{2000};
constexpr std::size_t kMostDropped = std::size_t{64} << 20;
/// Number of bytes in which search_head() looks for headers.
constexpr std::size_t kMostSearched = std::size_t{64} << 10;
// The status that nginx logs if the client left before its answer.
constexpr unsigned kClientLeft = 499;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

/// Returns an IPv4 address that came through an IPv6 socket in its IPv4 form, others unchanged.
asio::ip::address plain(const asio::ip::address& address) {
    if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
}

Peer peer_of(const asio::ip::address& address) {
    return {plain(address).to_string(), plain(address).is_loopback()};
}

}  // namespace

/// The handler that continues a connection after its job has run a step in a pool.
class Connection::Return {
  public:
    using allocator_type = ReservedMemory<std::byte>;

    /// Allocates all the memory that posting it needs.
    Return(std::shared_ptr<Connection> self, void (Connection::*then)())
        : self_(std::move(self)), job_(self_->job_), then_(then) {}

    [[nodiscard]] allocator_type get_allocator() const noexcept { return memory_; }
    [[nodiscard]] Job& job() const { return *job_; }
    [[nodiscard]] asio::io_context& context() const { return self_->worker_.context; }
    void operator()() const {
        if (self_->job_ == job_) self_->guarded([this] { ((*self_).*then_)(); });
    }

  private:
    std::shared_ptr<Connection> self_;
    std::shared_ptr<Job> job_;
    void (Connection::*then_)();
    allocator_type memory_;
};

Connection::Connection(ServerState& server, Worker& worker, asio::ip::tcp::socket socket,
                       const asio::ip::address& client, Welcome welcome)
    : server_(server),
      worker_(worker),
      socket_(std::move(socket)),
      peer_(peer_of(client)),
      welcome_(welcome) {
    ++server_.connections;
}

Connection::~Connection() {
    worker_.remove(*this);
    --server_.connections;
}

template <typename Step>
void Connection::guarded(Step step) {
    try {
        step();
    } catch (...) {
        close();
        throw;
    }
}

void Connection::start() {
    guarded([this] { begin(); });
}

void Connection::begin() {
    worker_.add(*this);
    if (server_.draining) return;
    Error ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    enter(State::kIdle, patience(server_.options.idle));
    read();
}

void Connection::enter(State state, std::chrono::milliseconds limit) {
    state_ = state;
    deadline_ = Clock::now() + limit;
}

void Connection::look_at_clock(Clock::time_point now) {
    if (now < deadline_) return;
    if (state_ == State::kArriving) {
        refuse({408, "too_slow", "the request took too long to arrive"});
    } else if (state_ == State::kWorking && !answering_) {
        job_->request_stop();
        job_.reset();
        answer(exchange_->failed(std::make_exception_ptr(base::Stopped())));
    } else {
        close();
    }
}

void Connection::drain() {
    keep_alive_ = false;
    if (state_ == State::kIdle) close();
}

void Connection::close() {
    if (state_ == State::kClosed) return;
    state_ = State::kClosed;
    if (exchange_) exchange_->end(kClientLeft);
    exchange_.reset();
    if (job_) job_->request_stop();
    job_.reset();
    Error ignored;
    socket_.close(ignored);
}

void Connection::read() {
    if (reading_) return;
    reading_ = true;
    const bool body = exchange_ && exchange_->arriving.is_header_done();
    chunk_.resize(body ? kBodyReadBytes : kReadBytes);
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](const Error& error, std::size_t bytes) {
                                self->guarded([&] { self->on_read(error, bytes); });
                            });
}

void Connection::on_read(const Error& error, std::size_t bytes) {
    reading_ = false;
    if (state_ == State::kClosed) return;
    if (error) {
        // The client has closed its end: it has left.
        close();
        return;
    }
    in_.commit(asio::buffer_copy(in_.prepare(bytes), asio::buffer(chunk_, bytes)));
    switch (state_) {
        case State::kIdle:
        case State::kArriving: advance(); break;
        case State::kWorking:
        case State::kWriting:
            // Reading shows whether the client leaves. Requests that arrive are answered later.
            if (in_.size() < server_.options.head_bytes) read();
            break;
        case State::kParting:
            dropped_bytes_ += in_.size();
            in_.clear();
            dropped_bytes_ < kMostDropped ? read() : close();
            break;
        case State::kClosed: break;
    }
}

void Connection::advance() {
    if (state_ == State::kIdle) {
        enter(State::kArriving, patience(server_.options.arrival));
        exchange_.emplace(server_, peer_);
        head_bytes_ = 0;
    }
    if (parse()) plan();
}

bool Connection::parse() {
    ArrivingRequest& request = exchange_->arriving;
    while (!request.is_done()) {
        const bool in_head = !request.is_header_done();
        Error error = http::error::need_more;
        if (in_.size() > 0) {
            const std::size_t bytes = request.put(in_.data(), error);
            in_.consume(bytes);
            if (in_head) head_bytes_ += bytes;
        }
        if (const auto why = wrong_with(error)) {
            refuse(*why);
            return false;
        }
        if (error) {
            read();
            return false;
        }
        if (in_head && request.is_header_done()) {
            on_head();
            if (state_ != State::kArriving) return false;
        }
    }
    return true;
}

std::optional<Refusal> Connection::wrong_with(const Error& error) const {
    const ArrivingRequest& request = exchange_->arriving;
    const bool more = error == http::error::need_more;
    const std::size_t head = head_bytes_ + (more && !request.is_header_done() ? in_.size() : 0);
    if (error == http::error::header_limit || head > server_.options.head_bytes) {
        return Refusal{431, "head_too_large", "the request's head is too large"};
    }
    if (error == http::error::body_limit) {
        if (request.over_budget) {
            return Refusal{503, "busy", "the server holds too many large requests"};
        }
        return Refusal{413, "body_too_large", "the request's body is too large"};
    }
    if (more && in_.size() > server_.options.head_bytes) {
        return Refusal{400, "bad_request", "a line between chunks is too long"};
    }
    if (error && !more) return Refusal{400, "bad_request", "this is not HTTP: " + error.message()};
    return std::nullopt;
}

void Connection::on_head() {
    const ArrivingRequest& request = exchange_->arriving;
    auto why = exchange_->head_refusal();
    if (!why && welcome_ == Welcome::kTurnedAway) {
        why = Refusal{503, "busy", "the server holds too many connections"};
    }
    if (why) {
        // A body that follows is not read, so the connection cannot be kept.
        keep_alive_ = request.is_done() && request.keep_alive() && !server_.draining &&
                      welcome_ == Welcome::kServed;
        answer(exchange_->refused(*why));
        return;
    }
    keep_alive_ = request.keep_alive();
    if (request.head.expects_continue && !request.is_done()) {
        // Nothing else is being sent to the client, so these bytes fit into the socket's buffer.
        Error ignored;
        socket_.write_some(asio::buffer(kContinue.data(), kContinue.size()), ignored);
    }
}

void Connection::plan() {
    auto planned = exchange_->plan();
    if (Answer* const known = std::get_if<Answer>(&planned)) {
        answer(std::move(*known));
        return;
    }
    job_ = std::move(std::get<std::shared_ptr<Job>>(planned));
    if (job_->pool() != nullptr) {
        run_in_pool(&Job::run, &Connection::on_run);
        return;
    }
    job_->run();
    on_run();
}

void Connection::run_in_pool(void (Job::*step)(), void (Connection::*then)()) {
    enter(State::kWorking, server_.options.work);
    if (in_.size() < server_.options.head_bytes) read();
    job_->pool()->run([back = Return(shared_from_this(), then), step]() mutable {
        (back.job().*step)();
        // Moved, because the connection must not be destroyed in this thread.
        asio::io_context& context = back.context();
        asio::post(context, std::move(back));
    });
}

void Connection::on_run() {
    if (job_->failure) {
        const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
        answer(exchange_->failed(job->failure));
        return;
    }
    answer(std::move(job_->answer));
}

void Connection::pull() {
    if (job_->pool() != nullptr) {
        run_in_pool(&Job::pull, &Connection::on_pulled);
        return;
    }
    // Posted, so that other connections get their turn before the next piece.
    enter(State::kWorking, server_.options.work);
    asio::post(worker_.context, [self = shared_from_this(), job = job_] {
        if (self->job_ != job) return;
        self->guarded([&] {
            job->pull();
            self->on_pulled();
        });
    });
}

void Connection::on_pulled() {
    if (job_->failure) {
        close();
        return;
    }
    if (job_->piece.empty() && job_->goes_on) {
        pull();
        return;
    }
    exchange_->next_piece(std::move(job_->piece), !job_->goes_on, out_body_);
    if (!job_->goes_on) job_.reset();
    write();
}

void Connection::refuse(const Refusal& why) {
    keep_alive_ = false;
    if (!exchange_->arriving.is_header_done()) search_head();
    answer(exchange_->refused(why));
}

void Connection::search_head() {
    constexpr std::string_view kEnd = "\r\n\r\n";
    const auto text = [this] {
        return std::string_view(static_cast<const char*>(in_.data().data()), in_.size());
    };
    // The rest of a head that is too large has usually arrived.
    Error error;
    while (!error && in_.size() < kMostSearched && text().find(kEnd) == std::string_view::npos) {
        const auto space = in_.prepare(kBodyReadBytes);
        in_.commit(socket_.read_some(space, error));
    }
    exchange_->arriving.search(text());
}

/// Returns the time limit. It is short for a client that is turned away, to free its descriptor.
std::chrono::milliseconds Connection::patience(std::chrono::milliseconds usual) const {
    return welcome_ == Welcome::kServed ? usual : std::min(usual, kParting);
}

void Connection::answer(Answer answer) {
    if (server_.draining) keep_alive_ = false;
    const bool goes_on = job_ && job_->goes_on;
    exchange_->begin_answer(std::move(answer), goes_on, worker_.date.now(), keep_alive_, out_head_,
                            out_body_);
    if (!goes_on || !exchange_->has_body()) job_.reset();
    answering_ = true;
    write();
}

void Connection::write() {
    state_ = State::kWriting;
    const std::size_t whole = out_head_.size() + out_body_.size();
    while (written_ < whole) {
        const std::size_t head = std::min(written_, out_head_.size());
        const std::array<asio::const_buffer, 2> left{asio::buffer(out_head_) + head,
                                                     asio::buffer(out_body_) + (written_ - head)};
        Error error;
        written_ += socket_.write_some(left, error);
        if (error == asio::error::would_block) {
            enter(State::kWriting, server_.options.idle);
            socket_.async_wait(asio::ip::tcp::socket::wait_write,
                               [self = shared_from_this()](const Error& failure) {
                                   if (self->state_ != State::kWriting) return;
                                   self->guarded([&] { failure ? self->close() : self->write(); });
                               });
            return;
        }
        if (error) {
            close();
            return;
        }
    }
    on_written();
}

void Connection::on_written() {
    written_ = 0;
    for (std::string* const text : {&out_head_, &out_body_}) {
        text->clear();
        if (text->capacity() > kKeptBytes) text->shrink_to_fit();
    }
    job_ ? pull() : end_request();
}

void Connection::end_request() {
    exchange_->end();
    const bool all_read = exchange_->arriving.is_done() && in_.size() == 0;
    exchange_.reset();
    answering_ = false;
    if (!keep_alive_ || server_.draining) {
        all_read ? close() : part();
        return;
    }
    enter(State::kIdle, server_.options.idle);
    if (in_.size() == 0) {
        if (in_.capacity() > kKeptBytes) in_.shrink_to_fit();
        if (!reading_ && chunk_.capacity() > kKeptBytes) chunk_ = {};
        read();
        return;
    }
    // Posted, so that other connections get their turn before the next request of this one.
    asio::post(worker_.context, [self = shared_from_this()] {
        if (self->state_ == State::kIdle) self->guarded([&] { self->advance(); });
    });
}

void Connection::part() {
    dropped_bytes_ = 0;
    enter(State::kParting, std::min(kParting, server_.options.idle));
    in_.clear();
    Error error;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, error);
    error ? close() : read();
}

}  // namespace fendex::serve
