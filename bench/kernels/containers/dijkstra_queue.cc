#include "kernel.hh"
#include <queue>
#include <unordered_map>

extern "C" int64_t dijkstra_queue(size n, const int64_t *sources, size m, const int64_t *targets, size k,
                                  const int64_t *lengths) {
  using Pair = std::pair<int64_t, int64_t>;
  std::unordered_map<int64_t, std::vector<Pair>> graph;
  for (size at = 0; at < n; at++)
    graph[sources[at]].push_back({targets[at], lengths[at]});
  std::unordered_map<int64_t, int64_t> distances{{sources[0], 0}};
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> queue;
  queue.push({0, sources[0]});
  while (!queue.empty()) {
    auto [distance, node] = queue.top();
    queue.pop();
    auto edges = graph.find(node);
    if (distance > distances[node] || edges == graph.end())
      continue;
    for (auto [target, length] : edges->second) {
      int64_t found = distance + length;
      auto [known, is_new] = distances.try_emplace(target, found);
      if (is_new || found < known->second) {
        known->second = found;
        queue.push({found, target});
      }
    }
  }
  int64_t total = 0;
  for (auto &[node, distance] : distances)
    total += distance;
  return total;
}
