/** Where goods were handed over, as far as the wholesaler reported it. */
export interface Place {
  latitude: number;
  longitude: number;
}

const EARTH_RADIUS_M = 6_371_000;

/** Metres between two places, on a sphere. */
export function distanceOf(one: Place, other: Place): number {
  const [a, b] = [radiansOf(one.latitude), radiansOf(other.latitude)];
  const halfLatitude = (b - a) / 2;
  const halfLongitude = radiansOf(other.longitude - one.longitude) / 2;
  const chord =
    Math.sin(halfLatitude) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(halfLongitude) ** 2;
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord))));
}

function radiansOf(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Where a store usually is: the middle one of its places, so that one wrong place moves it little. */
export function usualPlace(places: Place[]): Place | undefined {
  if (places.length === 0) return undefined;
  return {
    latitude: middleOf(places.map(({ latitude }) => latitude)),
    longitude: middleOf(places.map(({ longitude }) => longitude)),
  };
}

function middleOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
