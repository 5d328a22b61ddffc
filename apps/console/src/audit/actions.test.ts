import { actionName } from './actions';

const say = (es: string): string => es;

it('an action of a later release is another event', () => {
  expect(actionName('store.painted', say)).toBe('hizo otra cosa');
});
