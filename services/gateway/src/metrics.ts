import { Counter, Histogram } from 'prom-client';
import { createCounter, createLiveGauge } from '@fiado/chassis/metrics';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Upstreams } from './upstreams';

const forwardDuration = new Histogram({
  name: 'fiado_gateway_forward_duration_seconds',
  help: 'Duration of forwarded requests by upstream and whether the answer was complete',
  labelNames: ['upstream', 'outcome'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const credentialLookups = new Counter({
  name: 'fiado_gateway_credential_lookups_total',
  help: 'Credential checks: cached, checked by accounts, kept while accounts was unreachable, or refused',
  labelNames: ['outcome'] as const,
});

const countOfUnauthorized = createCounter(
  'fiado_gateway_unauthorized_total',
  'Requests answered with 401, by credential: missing, unknown, or expired with its key',
  ['credential'],
  [{ credential: 'missing' }, { credential: 'unknown' }, { credential: 'ended' }],
);

for (const outcome of ['hit', 'miss', 'kept', 'refused']) credentialLookups.inc({ outcome }, 0);
for (const upstream of SERVICES) {
  for (const outcome of ['answered', 'failed']) forwardDuration.zero({ upstream, outcome });
}

let watched: Upstreams | undefined;

createLiveGauge(
  'fiado_gateway_upstream_requests',
  'Requests to a service by state: running, waiting for a connection, or held back behind others of their caller',
  ['upstream', 'state'],
  (set) => {
    for (const upstream of SERVICES) {
      const { running, waiting } = watched?.[upstream].instances.load() ?? {
        running: 0,
        waiting: 0,
      };
      set({ upstream, state: 'running' }, running);
      set({ upstream, state: 'waiting' }, waiting);
      set({ upstream, state: 'held' }, watched?.[upstream].turns.waiting ?? 0);
    }
  },
);

createLiveGauge(
  'fiado_gateway_upstream_instances',
  'Instances of a service by state: in use, or skipped because they could not be reached',
  ['upstream', 'state'],
  (set) => {
    for (const upstream of SERVICES) {
      const { inTurn, aside } = watched?.[upstream].instances.load() ?? { inTurn: 0, aside: 0 };
      set({ upstream, state: 'in-turn' }, inTurn);
      set({ upstream, state: 'aside' }, aside);
    }
  },
);

/** Exports the load of these upstreams from now on. */
export function watchUpstreamLoad(upstreams: Upstreams): void {
  watched = upstreams;
}

export function observeForward(
  upstream: Service,
  outcome: 'answered' | 'failed',
  durationSeconds: number,
): void {
  forwardDuration.observe({ upstream, outcome }, durationSeconds);
}

export function countCredentialLookup(outcome: 'hit' | 'miss' | 'kept' | 'refused'): void {
  credentialLookups.inc({ outcome });
}

/** @param keyId of the key that is revoked or expired, or of an access token that is */
export function countUnauthorized(isMissing: boolean, keyId: string | undefined): void {
  const ofCredential = keyId === undefined ? 'unknown' : 'ended';
  countOfUnauthorized({ credential: isMissing ? 'missing' : ofCredential });
}
