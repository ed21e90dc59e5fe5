#include <utility>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "emit/byte_sink.hpp"

namespace fendex::emit {

namespace {

/// A line that is longer is shown in parts.
constexpr std::size_t kLongestLine = std::size_t{64} << 10;

class TerminalSink final : public ByteSink {
  public:
    explicit TerminalSink(std::unique_ptr<ByteSink> output) : output_(std::move(output)) {}

    void write(std::string_view bytes) override {
        const std::size_t whole = bytes.rfind('\n') + 1;  // 0 if no line ends here
        std::size_t end = whole == 0 ? 0 : waiting_.size() + whole;
        waiting_ += bytes;
        if (waiting_.size() - end > kLongestLine) {
            end = base::utf8_prefix(waiting_, end + kLongestLine).size();
        }
        if (end != 0) show(end);
    }
    void finish() override {
        show(waiting_.size());
        output_->finish();
    }

  private:
    void show(std::size_t bytes) {
        std::string shown;
        base::append_printable_lines(std::string_view(waiting_).substr(0, bytes), shown);
        waiting_.erase(0, bytes);
        output_->write(shown);
    }

    std::unique_ptr<ByteSink> output_;
    std::string waiting_;  // for the end of its line
};

}  // namespace

std::unique_ptr<ByteSink> make_terminal_sink(std::unique_ptr<ByteSink> output) {
    return std::make_unique<TerminalSink>(std::move(output));
}

}  // namespace fendex::emit
