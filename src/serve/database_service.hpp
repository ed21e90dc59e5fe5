// The service for databases: their routes, whether they can be read, and their metrics.
#pragma once

#include <utility>
#include <vector>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve {

class DatabaseService final : public Router {
  public:
    DatabaseService(std::vector<Route> routes, Databases databases)
        : Router(std::move(routes)), databases_(std::move(databases)) {}

    void require_health() override;
    [[nodiscard]] Cost cost_of_metrics() const override;
    [[nodiscard]] std::string metrics() override;

  private:
    Databases databases_;
};

}  // namespace fendex::serve
