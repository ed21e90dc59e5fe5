#include <functional>
#include <string>
#include <utility>

#include "fendex/fendex.h"
#include "fendex/fendex.hpp"
#include "fendex/json_answers.hpp"
#include "fendex/json_import.hpp"
#include "store/sqlite/file_store.hpp"

struct fendex_database {
    fendex::OpenedDatabase database;
};

struct fendex_answers {
    std::stop_source stop;
    std::optional<fendex::JsonAnswers> answers;
    std::string object;
};

namespace {

thread_local std::string t_message;
thread_local enum fendex_error_kind t_kind = FENDEX_OK;
thread_local std::string t_imported;  // the last result of fendex_import()

enum fendex_error_kind kind_of(fendex::ErrorKind kind) {
    using fendex::ErrorKind;
    switch (kind) {
        case ErrorKind::kAbsent: return FENDEX_ABSENT;
        case ErrorKind::kBusy: return FENDEX_BUSY;
        case ErrorKind::kDamaged: return FENDEX_DAMAGED;
        case ErrorKind::kNotADatabase: return FENDEX_NOT_A_DATABASE;
        case ErrorKind::kOtherFormat: return FENDEX_OTHER_FORMAT;
        case ErrorKind::kQuestion: return FENDEX_QUESTION;
        case ErrorKind::kStopped: return FENDEX_STOPPED;
        case ErrorKind::kImport: return FENDEX_IMPORT;
        case ErrorKind::kSystem: break;
    }
    return FENDEX_SYSTEM;
}

/// Calls act(). If it throws, records the error and returns null: no exception may reach C.
template <typename Act>
auto guarded(Act act) -> decltype(act()) {
    t_message.clear();
    t_kind = FENDEX_OK;
    try {
        return act();
    } catch (const fendex::Error& error) {
        t_kind = kind_of(error.kind());
        t_message = error.what();
    } catch (const std::exception& error) {
        t_kind = FENDEX_SYSTEM;
        t_message = error.what();
    }
    return nullptr;
}

[[noreturn]] void fail(const char* what) {
    throw fendex::Error(fendex::ErrorKind::kQuestion, what);
}

}  // namespace

const char* fendex_questions(void) {
    static const std::string questions = fendex::described_questions();
    return questions.c_str();
}

fendex_database* fendex_open(const char* path) {
    return guarded([&] {
        if (path == nullptr) fail("which database? The path is NULL");
        static_cast<void>(fendex::Database::open(path));  // throws if there is none
        return new fendex_database{{path, fendex::store::file_store(path)}};
    });
}

fendex_answers* fendex_query(fendex_database* database, const char* question) {
    return guarded([&] {
        if (database == nullptr) fail("the database is NULL");
        if (question == nullptr) fail("the question is NULL");
        auto answers = std::make_unique<fendex_answers>();
        answers->answers =
            fendex::json_answers(database->database, question, answers->stop.get_token());
        return answers.release();
    });
}

const char* fendex_next(fendex_answers* answers) {
    if (answers == nullptr) return nullptr;
    return guarded([&]() -> const char* {
        std::optional<std::string> object = answers->answers->next();
        if (!object) return nullptr;
        answers->object = std::move(*object);
        return answers->object.c_str();
    });
}

void fendex_cancel(fendex_answers* answers) {
    if (answers != nullptr) answers->stop.request_stop();
}

const char* fendex_error(void) { return t_kind == FENDEX_OK ? nullptr : t_message.c_str(); }

enum fendex_error_kind fendex_error_kind(void) { return t_kind; }

const char* fendex_import(const char* path, const char* request, fendex_progress progress,
                          void* context) {
    return guarded([&]() -> const char* {
        if (path == nullptr) fail("which database? The path is NULL");
        if (request == nullptr) fail("the request is NULL");
        std::function<bool(const std::string&)> going_on;
        if (progress != nullptr) {
            going_on = [&](const std::string& text) {
                return progress(context, text.c_str()) == 0;
            };
        }
        t_imported = fendex::import_by_json(path, request, going_on);
        return t_imported.c_str();
    });
}

void fendex_end(fendex_answers* answers) { delete answers; }

void fendex_close(fendex_database* database) { delete database; }
