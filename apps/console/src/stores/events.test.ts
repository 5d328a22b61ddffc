import { AUDIT_ACTIONS } from '@fiado/contracts/audit-actions';
import { eventName } from './events';

/** Actions whose object is a corner store or its owner: the timeline of the store has them. */
const OF_A_STORE =
  /^(corner-store|onboarding|opposition|person|phone|privacy-package|privacy-request|user)\./;

it('each action of the audit log that concerns a store has a name in its timeline', () => {
  const say = (es: string): string => es;
  const ofStores = AUDIT_ACTIONS.filter((action) => OF_A_STORE.test(action));
  expect(ofStores).toContain('corner-store.blocked');
  expect(ofStores.filter((action) => eventName(action, say) === 'Otro evento')).toEqual([]);
});
