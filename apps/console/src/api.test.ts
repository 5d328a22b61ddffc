import { STATEMENTS_DEADLINE_MS } from '@fiado/contracts/deadlines';
import { timeoutOf } from './api';

it('the closing of statements is awaited longer than the gateway takes for it, other calls are not', () => {
  expect(timeoutOf('/v1/admin/statements/close')).toBeGreaterThan(STATEMENTS_DEADLINE_MS);
  expect(timeoutOf('/v1/admin/statements')).toBeLessThan(STATEMENTS_DEADLINE_MS);
});
