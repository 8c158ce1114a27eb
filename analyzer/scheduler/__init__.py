"""From steps to tasks: the graph, the plan, the life of a question, the budget, and the run that ties them."""
