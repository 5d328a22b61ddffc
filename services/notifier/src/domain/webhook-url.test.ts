import { webhookUrlOf } from './webhook-url';

it.each([
  'https://example.com/hook',
  'https://example.com:8443/hook?a=1',
  'https://hooks.ejemplo.mx',
])('production takes %s', (text) => expect(webhookUrlOf(text, false)?.href).toContain('https://'));

it.each([
  'http://example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://example.com:25/',
  'https://example.com:80/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'example.com',
  '',
  `https://example.com/${'a'.repeat(2_000)}`,
])('production refuses %s', (text) => expect(webhookUrlOf(text, false)).toBeUndefined());

it('the sandbox takes http and addresses too, and no other protocol', () => {
  expect(webhookUrlOf('http://localhost:4000/hook', true)?.href).toBe('http://localhost:4000/hook');
  expect(webhookUrlOf('http://127.0.0.1:4000/', true)).toBeDefined();
  expect(webhookUrlOf('ftp://127.0.0.1:4000/', true)).toBeUndefined();
});
