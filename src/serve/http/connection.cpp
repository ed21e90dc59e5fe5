#include "serve/http/connection.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <utility>

#include "base/stop_check.hpp"
#include "serve/http/target.hpp"

namespace fendex::serve {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr std::size_t kBodyReadBytes = std::size_t{64} << 10;
// A client that is refused while it sends may go on for so long, so that it reads the answer.
constexpr std::chrono::milliseconds kParting{2000};
constexpr std::size_t kMostDropped = std::size_t{64} << 20;

}  // namespace

Connection::Connection(ServerState& server, Worker& worker, asio::ip::tcp::socket socket)
    : server_(server), worker_(worker), socket_(std::move(socket)) {
    worker_.add(*this);
    ++server_.connections;
}

Connection::~Connection() {
    worker_.remove(*this);
    --server_.connections;
}

void Connection::start() {
    Error ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (server_.draining) return;
    deadline_ = Clock::now() + server_.options.idle;
    read();
}

void Connection::look_at_clock(Clock::time_point now) {
    if (now < deadline_) return;
    const auto self = shared_from_this();
    switch (state_) {
        case State::kArriving:
            keep_alive_ = false;
            refuse({408, "too_slow", "the request took too long to arrive"});
            break;
        case State::kWorking: {
            const bool begun = !out_head_.empty();
            job_->stop.request_stop();
            job_.reset();
            begun ? close() : fail(std::make_exception_ptr(base::Stopped()));
            break;
        }
        default: close();
    }
}

void Connection::drain() {
    keep_alive_ = false;
    if (state_ == State::kIdle) close();
}

void Connection::close() {
    if (state_ == State::kClosed) return;
    const auto self = shared_from_this();
    state_ = State::kClosed;
    if (job_) job_->stop.request_stop();
    job_.reset();
    Error ignored;
    socket_.close(ignored);
}

void Connection::read() {
    if (reading_) return;
    reading_ = true;
    const bool large = arriving_ && arriving_->is_header_done();
    socket_.async_read_some(buffer_.prepare(large ? kBodyReadBytes : kReadBytes),
                            [self = shared_from_this()](const Error& error, std::size_t bytes) {
                                self->on_read(error, bytes);
                            });
}

void Connection::on_read(const Error& error, std::size_t bytes) {
    reading_ = false;
    if (state_ == State::kClosed) return;
    if (error) {
        // The client has left, or said that it sends no more, which is taken for leaving.
        close();
        return;
    }
    buffer_.commit(bytes);
    switch (state_) {
        case State::kIdle:
        case State::kArriving: advance(); break;
        case State::kWorking:
        case State::kWriting:
            // Only to notice that the client leaves; what it sends is for later.
            if (buffer_.size() < server_.options.head_bytes) read();
            break;
        case State::kParting:
            dropped_bytes_ += buffer_.size();
            buffer_.clear();
            dropped_bytes_ < kMostDropped ? read() : close();
            break;
        case State::kClosed: break;
    }
}

void Connection::advance() {
    if (state_ == State::kIdle) {
        state_ = State::kArriving;
        deadline_ = Clock::now() + server_.options.arrival;
        arriving_.emplace(server_.bodies);
        arriving_->header_limit(static_cast<std::uint32_t>(server_.options.head_bytes));
        arriving_->body_limit(server_.options.body_bytes);
        head_bytes_ = 0;
        head_checked_ = false;
    }
    if (parse()) plan();
}

bool Connection::parse() {
    while (!arriving_->is_done()) {
        Error error;
        const bool in_head = !arriving_->is_header_done();
        const std::size_t taken = buffer_.size() == 0 ? 0 : arriving_->put(buffer_.data(), error);
        if (in_head) head_bytes_ += taken;
        const bool nothing = buffer_.size() == 0;
        buffer_.consume(taken);
        if (in_head && (error == http::error::header_limit ||
                        head_bytes_ + (error == http::error::need_more ? buffer_.size() : 0) >
                            server_.options.head_bytes)) {
            keep_alive_ = false;
            refuse({431, "head_too_large", "the request's head is too large"});
            return false;
        }
        if (error == http::error::need_more || nothing) {
            if (buffer_.size() > server_.options.head_bytes) {
                keep_alive_ = false;
                refuse({400, "bad_request", "the request is no HTTP"});
                return false;
            }
            read();
            return false;
        }
        if (error == http::error::body_limit) {
            keep_alive_ = false;
            arriving_->over_budget
                ? refuse({503, "busy", "the server holds too many requests with large bodies"})
                : refuse({413, "body_too_large", "the request's body is too large"});
            return false;
        }
        if (error) {
            keep_alive_ = false;
            refuse({400, "bad_request", "the request is no HTTP: " + error.message()});
            return false;
        }
        if (arriving_->is_header_done() && !head_checked_) {
            head_checked_ = true;
            if (!head_is_fine()) return false;
        }
    }
    return true;
}

bool Connection::head_is_fine() {
    keep_alive_ = arriving_->keep_alive() && !server_.draining;
    if (arriving_->head.expects_continue && !arriving_->is_done()) {
        // A client that waits for this has sent nothing since, so there is room for it.
        Error ignored;
        static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        socket_.write_some(asio::buffer(kContinue.data(), kContinue.size()), ignored);
    }
    return true;
}

void Connection::plan() {
    const Head& head = arriving_->head;
    const auto target = parse_target(split_authority(head.target).target);
    if (!target) {
        refuse({400, "bad_escape", "the address has a malformed percent escape"});
        return;
    }
    try {
        if (head.verb != http::verb::get && head.verb != http::verb::head &&
            head.verb != http::verb::post) {
            throw Refusal{405, "wrong_method", "this address takes another method"};
        }
        struct Whole {
            Request request;
            std::unique_ptr<Body> body;
        };
        auto whole = std::make_shared<Whole>();
        whole->request.method = head.verb == http::verb::post ? Method::kPost : Method::kGet;
        whole->request.path = std::move(target->path);
        whole->request.parameters = std::move(target->parameters);
        whole->request.accept = head.accept;
        whole->request.body = std::move(arriving_->body->text);
        whole->body = std::move(arriving_->body);
        const std::shared_ptr<const Request> request(whole, &whole->request);
        Task task = server_.service.plan(request);
        Pool* const pool = task.cost == Cost::kLookUp ? nullptr
                           : task.cost == Cost::kSums ? &server_.sums
                                                      : &server_.scans;
        auto job = std::make_shared<Job>(std::move(task));
        if (pool != nullptr) {
            job->pool = pool;
            job->place = pool->enter();
            job->stop = std::stop_source();
            if (!job->place) {
                throw Refusal{503, "busy", "the server has too much to do; try again later"};
            }
        }
        job_ = std::move(job);
    } catch (const Refusal& why) {
        refuse(why);
        return;
    } catch (...) {
        fail(std::current_exception());
        return;
    }
    work();
}

void Connection::run_in_pool(void (Job::*step)(),
                             void (Connection::*then)(const std::shared_ptr<Job>&)) {
    state_ = State::kWorking;
    deadline_ = Clock::now() + server_.options.work;
    if (buffer_.size() < server_.options.head_bytes) read();
    // The connection is handed back to its thread with the result: it must not end in the pool.
    job_->pool->run([self = shared_from_this(), job = job_, step, then]() mutable {
        ((*job).*step)();
        asio::io_context& context = self->worker_.context;
        asio::post(context, [self = std::move(self), job = std::move(job), then] {
            if (self->job_ == job) ((*self).*then)(job);
        });
    });
}

void Connection::work() {
    if (job_->pool != nullptr) {
        run_in_pool(&Job::run, &Connection::on_worked);
        return;
    }
    job_->run();
    on_worked(job_);
}

void Connection::on_worked(const std::shared_ptr<Job>& job) {
    if (job->failure) {
        const std::exception_ptr why = job->failure;
        job_.reset();
        fail(why);
        return;
    }
    answer(job->answer, std::move(job->answer.body));
}

void Connection::pull() {
    if (job_->pool != nullptr) {
        run_in_pool(&Job::pull, &Connection::on_pulled);
        return;
    }
    // Others have their turn before the next piece.
    state_ = State::kWorking;
    deadline_ = Clock::now() + server_.options.work;
    asio::post(worker_.context, [self = shared_from_this(), job = job_] {
        if (self->job_ != job) return;
        job->pull();
        self->on_pulled(job);
    });
}

void Connection::on_pulled(const std::shared_ptr<Job>& job) {
    if (job->failure) {
        close();
        return;
    }
    append_piece(job->piece, !job->goes_on);
    if (out_head_.empty() && out_body_.empty() && job->goes_on) {
        pull();
        return;
    }
    write();
}

void Connection::refuse(const Refusal& why) {
    job_.reset();
    Answer said = server_.service.refused(path_of(arriving_->head.target), why);
    if (why.status == 503) said.headers.emplace_back("Retry-After", "5");
    answer(said, std::move(said.body));
}

void Connection::fail(std::exception_ptr why) {
    Answer said = server_.service.failed(path_of(arriving_->head.target), std::move(why));
    answer(said, std::move(said.body));
}

void Connection::answer(const Answer& said, std::string body) {
    const bool old = arriving_->head.version == 10;
    const bool headless = arriving_->head.verb == http::verb::head;
    const bool bodiless = said.status == 204 || said.status == 304;
    const bool streams = job_ && job_->goes_on;
    framing_ = bodiless   ? Framing::kNone
               : !streams ? Framing::kLength
               : old      ? Framing::kClose
                          : Framing::kChunked;
    if (framing_ == Framing::kClose) keep_alive_ = false;
    if (server_.draining) keep_alive_ = false;

    AnswerHead head;
    head.status = said.status;
    head.type = bodiless ? std::string_view() : said.type;
    head.framing = framing_;
    head.length = body.size();
    head.keep_alive = keep_alive_;
    head.old = old;
    out_head_.clear();
    append_head(out_head_, head);
    append_header(out_head_, "Date", worker_.date.now());
    for (const auto& [name, value] : said.headers) append_header(out_head_, name, value);
    out_head_ += "\r\n";

    out_body_.clear();
    if (headless || bodiless) {
        job_.reset();
    } else if (streams) {
        append_piece(body, false);
    } else {
        out_body_ = std::move(body);
        job_.reset();
    }
    write();
}

void Connection::append_piece(std::string_view piece, bool last) {
    if (framing_ != Framing::kChunked) {
        out_body_ = piece;
        return;
    }
    out_body_.clear();
    if (!piece.empty()) {
        char size[16];
        const auto end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
        out_body_.append(size, end).append("\r\n").append(piece).append("\r\n");
    }
    if (last) out_body_ += "0\r\n\r\n";
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
            deadline_ = Clock::now() + server_.options.idle;
            socket_.async_wait(asio::ip::tcp::socket::wait_write,
                               [self = shared_from_this()](const Error& failure) {
                                   if (self->state_ != State::kWriting) return;
                                   failure ? self->close() : self->write();
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
    out_head_.clear();
    out_body_.clear();
    if (job_ && job_->goes_on) {
        pull();
        return;
    }
    finish_request();
}

void Connection::finish_request() {
    job_.reset();
    arriving_.reset();
    if (!keep_alive_ || server_.draining) {
        part();
        return;
    }
    state_ = State::kIdle;
    deadline_ = Clock::now() + server_.options.idle;
    if (buffer_.size() == 0) {
        read();
        return;
    }
    // Other connections have their turn before the next request of this one.
    asio::post(worker_.context, [self = shared_from_this()] {
        if (self->state_ == State::kIdle) self->advance();
    });
}

void Connection::part() {
    state_ = State::kParting;
    deadline_ = Clock::now() + std::min(kParting, server_.options.idle);
    buffer_.clear();
    Error error;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, error);
    error ? close() : read();
}

}  // namespace fendex::serve
