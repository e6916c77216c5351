#include "support/json_once.h"

KNAPSACK_JSON_TEMPLATES(template);
