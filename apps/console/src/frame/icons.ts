import { Html } from '@fiado/chassis/html';

/** Lines of a square of 24. */
const PATHS = {
  home: 'M4 11l8-7 8 7v9h-6v-6h-4v6H4z',
  check: 'M5 12l5 5 9-10',
  stamp: 'M9 4h6v5l-1 4h5v4H5v-4h5L9 9zM5 20h14',
  store: 'M4 9l1-5h14l1 5c0 4-5 4-5 1 0 3-6 3-6 0 0 3-5 3-5-1M5 12v8h14v-8M10 20v-5h4v5',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  chat: 'M4 5h16v11H9l-5 4z',
  deposit: 'M12 4v11M7 10l5 5 5-5M5 20h14',
  clock: 'M12 4a8 8 0 108 8M12 8v4l3 2',
  truck: 'M3 6h11v10H3zM14 9h4l3 4v3h-7M7 20a2 2 0 100-4 2 2 0 000 4M17 20a2 2 0 100-4 2 2 0 000 4',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16V9',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M12 10v7M9 14l3 3 3-3',
  hook: 'M9 9a3 3 0 115 0l3 5M12 9l-3 6a3 3 0 11-4-2M17 14a3 3 0 11-3 4H9',
  rows: 'M4 5h16v5H4zM4 14h16v5H4z',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  notes: 'M3 7h18v10H3zM12 14a2 2 0 100-4 2 2 0 000 4M6 10v4M18 10v4',
  bank: 'M4 9l8-5 8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 016 0v3',
  key: 'M8 15a4 4 0 110-8 4 4 0 010 8M11 9l9 0M17 9v4M20 9v3',
  people:
    'M9 11a3 3 0 100-6 3 3 0 000 6M3 20c0-4 3-6 6-6s6 2 6 6M16 5a3 3 0 010 6M17 14c3 0 4 3 4 6',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14M16 16l5 5',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a word, which screen readers leave out. */
export function icon(name: IconName): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}" /></svg>`,
  );
}
