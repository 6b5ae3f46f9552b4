// CAIRN_ASSERT: a condition that only a bug of ours can break. Checked in debug builds, gone in release.
#pragma once

#include <cassert>

#define CAIRN_ASSERT(condition) assert(condition)
