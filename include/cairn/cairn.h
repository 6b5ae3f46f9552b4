// Everything: worlds, bodies, shapes, joints, forces, methods.
#pragma once

#include <cairn/body.h>
#include <cairn/error.h>
#include <cairn/field.h>
#include <cairn/force.h>
#include <cairn/id.h>
#include <cairn/instruction_set.h>
#include <cairn/integrator.h>
#include <cairn/joint.h>
#include <cairn/material.h>
#include <cairn/math.h>
#include <cairn/method.h>
#include <cairn/shape.h>
#include <cairn/sleep.h>
#include <cairn/time_function.h>
#include <cairn/world.h>
