// Makes polygons of the nearly coplanar facets of an exact hull.
//
// The exact hull of a cube that was rotated, or stored in single precision, has triangles for faces, folded
// by rounding. Contacts want the square. So facets that lie within a distance of one plane become one face.
#pragma once

#include <cairn/math.h>

#include <span>
#include <vector>

#include "geometry/facet_mesh.h"
#include "geometry/polyhedron.h"

namespace cairn {

struct MergedFaces {
  Regions regions;                // the facets of each face
  std::vector<FacePlane> planes;  // of each face: that of its largest facet
};

// The facets are those of an exact hull of `points`; `distance` [m] must be above zero.
MergedFaces merge_faces(const FacetMesh& mesh, std::span<const Vec3> points, double distance);

}  // namespace cairn
