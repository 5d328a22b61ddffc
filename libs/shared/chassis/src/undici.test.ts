import * as index from 'undici';
import * as used from './undici';

test('each export is that of the index of undici, and dispatchers have its methods', () => {
  expect(index).toMatchObject(used);
  expect(used.Dispatcher.prototype).toHaveProperty('request', expect.any(Function));
});
