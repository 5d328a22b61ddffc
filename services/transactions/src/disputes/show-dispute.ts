import { query, queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';
import type { VerificationRow } from '../codes/verification.entity';
import type { Context } from '../context';
import { DELIVERY_PROOFS, type DeliveryProof } from '../deliveries/decide-delivery.rules';
import { LOCATION_PURPOSE } from '../orders/order.rules';
import { disputeFields, exampleDispute, presentDispute, readDispute } from './dispute';

/** Days whose disputes and deliveries are counted. */
const SHARE_DAYS = 90;

/** Earlier deliveries of the store whose places say where it is. */
const PLACES = 20;

const EARTH_RADIUS_M = 6_371_000;

const proofSheet = t.object('DisputeProofs', {
  orderedAt: t.time('Time at which the order was made', '2026-09-21T16:04:05.678Z'),
  linked: t.field(t.flag, 'Whether the corner store confirmed it on a page behind a link'),
  codeSends: t.field(
    t.count,
    'Number of SMS with the code of the order; 0 where it needed none, as an item of a batch',
    1,
  ),
  confirmedAt: t.timeOrNull(
    'Time at which a right code confirmed it; null where it needed none',
    '2026-09-21T16:06:15.000Z',
  ),
  secondsToConfirm: t.field(
    t.nullable(t.count),
    'Seconds from the first SMS with that code to its confirmation; null without a code',
    130,
  ),
  driverId: t.nullable(fields.driverId),
  deliveredAt: t.time('Time of the delivery', '2026-09-22T15:30:00.000Z'),
  deliveryProof: t.field(
    t.nullable(t.oneOf(DELIVERY_PROOFS)),
    '`word`: its delivery word was right. `none`: only the report of the wholesaler. Null if it was reported with 1.0.0',
    'word',
  ),
  wrongWords: t.field(t.count, 'Wrong delivery words before the delivery', 0),
  place: t.textOrNull(
    'Place of the delivery as the wholesaler reported it; null without one',
    '20.6736, -103.344',
  ),
  metresFromUsual: t.field(
    t.nullable(t.count),
    'Metres from that place to where the other deliveries to the store were; null where either is not known',
    40,
  ),
  deliveriesOfWholesaler: t.field(
    t.count,
    `Deliveries of the wholesaler in ${SHARE_DAYS} days, to all its corner stores`,
    812,
  ),
  disputesOfWholesaler: t.field(t.count, `Disputes of its orders in ${SHARE_DAYS} days`, 3),
  disputesOfDriver: t.field(
    t.nullable(t.count),
    `Disputes in ${SHARE_DAYS} days of its orders with the same \`driverId\`; null without one`,
    1,
  ),
  disputesOfStore: t.field(t.count, 'Disputes of the corner store, this one too', 1),
  keptOfStore: t.field(t.count, 'How many of them were decided as `kept`', 0),
});

export const showDisputeEndpoint = endpoint({
  id: 'showDispute',
  as: 'disputes.get',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/disputes/:disputeId',
  scope: 'viewer',
  summary: 'Show what speaks for and against a disputed order',
  description:
    'The dispute, and in `proofs` what is known of the order. Its SMS are in `POST /admin/messages/search`, its debt in ' +
    '`GET /admin/receivables`, with `transactionId`.',
  errors: ['DISPUTE_NOT_FOUND'],
  answer: t.object('DisputeSheet', {
    ...disputeFields,
    proofs: t.field(
      proofSheet,
      'How the order was confirmed and handed over, and who disputed how often',
    ),
  }),
  example: exampleDispute,
  input: ({ id }) => ({ disputeId: id('disputeId', 'DISPUTE_NOT_FOUND') }),
  handle: showDispute,
  present: ({ dispute, proofs }) => ({
    ...presentDispute(dispute),
    proofs: t.presentRow(proofSheet, proofs, {}),
  }),
});

/** Where goods were handed over, as far as the wholesaler reported it. */
interface Place {
  latitude: number;
  longitude: number;
}

interface OrderFacts {
  orderedAt: Date;
  linked: boolean;
  codeSends: number;
  confirmedAt: VerificationRow['approvedAt'];
  secondsToConfirm: number | null;
  driverId: string | null;
  deliveredAt: Date;
  deliveryProof: DeliveryProof | null;
  wrongWords: number;
  locationSealed: Buffer | null;
}

interface Counts {
  deliveriesOfWholesaler: number;
  disputesOfWholesaler: number;
  disputesOfDriver: number | null;
  disputesOfStore: number;
  keptOfStore: number;
}

async function showDispute({ db, sealer }: Context, { disputeId }: { disputeId: string }) {
  const dispute = await readDispute(db, disputeId);
  const { transactionId, cornerStoreId, wholesalerId } = dispute;
  const [{ locationSealed, ...order }, others] = await Promise.all([
    queryOne<OrderFacts>(
      db,
      `SELECT t.created_at AS "orderedAt", t.linked, coalesce(v.sends, 0) AS "codeSends",
              CASE WHEN v.sends > 0 THEN v.approved_at END AS "confirmedAt",
              CASE WHEN v.sends > 0 THEN
                (extract(epoch FROM v.approved_at - v.expires_at) + ${CODE_LIFE_MS / 1000})::int END
                AS "secondsToConfirm", t.driver_id, t.delivered_at, t.delivery_proof,
              coalesce(word.wrong_checks_in_all, 0) AS "wrongWords", t.location_sealed
         FROM transactions t LEFT JOIN verifications v ON v.transaction_id = t.id
         LEFT JOIN delivery_words word ON word.transaction_id = t.id
        WHERE t.id = $1`,
      [transactionId],
    ),
    query<{ id: string; locationSealed: Buffer }>(
      db,
      `SELECT id, location_sealed FROM transactions
        WHERE corner_store_id = $1 AND delivered_at IS NOT NULL AND id <> $2
          AND location_sealed IS NOT NULL
        ORDER BY delivered_at DESC LIMIT ${PLACES}`,
      [cornerStoreId, transactionId],
    ),
  ]);
  const { driverId } = order;
  const counts = await queryOne<Counts>(
    db,
    `WITH lately AS (
       SELECT t.driver_id FROM disputes d JOIN transactions t ON t.id = d.transaction_id
        WHERE d.wholesaler_id = $1 AND d.opened_at > now() - make_interval(days => ${SHARE_DAYS}))
     SELECT (SELECT count(*)::int FROM transactions
              WHERE wholesaler_id = $1 AND delivered_at > now() - make_interval(days => ${SHARE_DAYS}))
              AS "deliveriesOfWholesaler",
            (SELECT count(*)::int FROM lately) AS "disputesOfWholesaler",
            CASE WHEN $2::text IS NOT NULL
                 THEN (SELECT count(*)::int FROM lately WHERE driver_id = $2) END AS "disputesOfDriver",
            count(*)::int AS "disputesOfStore",
            (count(*) FILTER (WHERE status = 'kept'))::int AS "keptOfStore"
       FROM disputes WHERE corner_store_id = $3`,
    [wholesalerId, driverId, cornerStoreId],
  );
  const here = placeOf(sealer, transactionId, locationSealed);
  const places = others.flatMap((other) => placeOf(sealer, other.id, other.locationSealed) ?? []);
  const usual = usualPlace(places);
  const place = here && `${here.latitude}, ${here.longitude}`;
  const metresFromUsual = here && usual && distanceOf(here, usual);
  const proofs = {
    ...order,
    ...counts,
    place: place ?? null,
    metresFromUsual: metresFromUsual ?? null,
  };
  return { dispute, proofs };
}

/** A place that is reported in words only is none. */
function placeOf(sealer: Sealer, id: string, sealed: Buffer | null): Place | undefined {
  if (sealed === null) return undefined;
  const { latitude, longitude } = JSON.parse(
    sealer.open(sealed, LOCATION_PURPOSE, id),
  ) as Partial<Place>;
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude };
}

/** Metres between two places, on a sphere. */
function distanceOf(one: Place, other: Place): number {
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
function usualPlace(places: Place[]): Place | undefined {
  if (places.length === 0) return undefined;
  return {
    latitude: middleOf(places.map(({ latitude }) => latitude)),
    longitude: middleOf(places.map(({ longitude }) => longitude)),
  };
}

function middleOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
