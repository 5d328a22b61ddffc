import { actionName } from './actions';

it('an action of a later release is another event', () => {
  expect(actionName('store.painted')).toBe('hizo otra cosa');
});
