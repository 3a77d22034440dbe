#include "config.h"

#include "page/files.h"

#include "page/shared_data.h"
