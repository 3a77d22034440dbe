#include "config.h"

#include "page/files.h"

#include "page/live_data.h"
