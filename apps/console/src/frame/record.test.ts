import { ApiRefusal } from '../api';
import { recordPage } from './record';
import type { Visit } from './visit';

const visitOf = (id: string): Visit => ({ req: { params: { id } } }) as unknown as Visit;

it('runs all parts of a page at once, and writes them in their order', async () => {
  const begun: string[] = [];
  const part =
    (name: string, turns: number) =>
    async (id: string): Promise<string> => {
      begun.push(name);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      return `${name} of ${id}, after ${begun.length}; `;
    };
  const { page } = recordPage('/things/:id', {
    load: async (id) => id,
    path: () => ['/things', 'Things'],
    title: (id) => `Thing ${id}`,
    above: [part('above', 1)],
    parts: [part('slow', 9), part('fast', 1)],
    side: [part('side', 1)],
  });
  const { title, content } = await page(visitOf('7'));
  expect(title).toBe('Thing 7');
  expect(content.text.match(/\w+ of 7, after 4/g)).toEqual(
    ['above', 'slow', 'fast', 'side'].map((name) => `${name} of 7, after 4`),
  );
});

it('is refused when its thing is, before any part runs', async () => {
  const part = jest.fn();
  const { page } = recordPage('/things/:id', {
    load: () => Promise.reject(new ApiRefusal(404, 'ROUTE_NOT_FOUND', 'none')),
    path: () => ['/things', 'Things'],
    title: String,
    parts: [part],
    side: [],
  });
  await expect(page(visitOf('7'))).rejects.toMatchObject({ status: 404 });
  expect(part).not.toHaveBeenCalled();
});
