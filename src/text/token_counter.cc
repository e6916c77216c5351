#include "text/token_counter.h"
