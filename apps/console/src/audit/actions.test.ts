import { AUDIT_ACTIONS } from '@fiado/contracts/audit-actions';
import { actionName, actionNames } from './actions';

const say = (es: string): string => es;

it('each action of the audit log has words and can be filtered', () => {
  const unnamed = AUDIT_ACTIONS.filter((action) => actionName(action, say) === 'hizo otra cosa');
  expect(unnamed).toEqual([]);
  expect(actionNames(say).map(([action]) => action)).toEqual(
    expect.arrayContaining([...AUDIT_ACTIONS]),
  );
});

it('an action of a later release is another event', () => {
  expect(actionName('store.painted', say)).toBe('hizo otra cosa');
});
