import { idOf, type Visit } from './visit';

const visitOf = (id: string): Visit => ({ req: { params: { id } } }) as unknown as Visit;

it.each(['.', '..'])('an id of dots is a 404: %s', (id) => {
  expect(() => idOf(visitOf(id), 'id')).toThrow(expect.objectContaining({ status: 404 }));
});

it('another id is itself', () => {
  expect(idOf(visitOf('a/b'), 'id')).toBe('a/b');
});
