#include "config.h"

#include "web/assets.h"

#include "web/assets_data.h"
