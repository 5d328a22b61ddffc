import { Presets, SingleBar } from 'cli-progress';

/** Time between two lines where there is no terminal to draw on. */
const LINE_INTERVAL_MS = 5_000;

export interface Progress {
  /** @param bytes of the file that were read */
  update(bytes: number, counts: { imported: number; refused: number }): void;
  stop(): void;
}

/** A progress bar on a terminal, otherwise a line at intervals. */
export function createProgress(
  screen: NodeJS.WritableStream & { isTTY?: boolean },
  totalBytes: number,
): Progress {
  return screen.isTTY === true ? barOf(screen, totalBytes) : linesOf(screen, totalBytes);
}

function barOf(screen: NodeJS.WritableStream, totalBytes: number): Progress {
  const bar = new SingleBar(
    {
      stream: screen,
      format:
        '{bar} {percentage} % | imported {imported}, refused {refused} | {eta_formatted} left',
      // Ctrl-C ends an import, and must leave the cursor as it was.
      hideCursor: false,
    },
    Presets.shades_classic,
  );
  bar.start(totalBytes, 0, { imported: 0, refused: 0 });
  return {
    update: (bytes, counts) => bar.update(Math.min(bytes, totalBytes), counts),
    stop: () => bar.stop(),
  };
}

function linesOf(screen: NodeJS.WritableStream, totalBytes: number): Progress {
  let nextAt = Date.now() + LINE_INTERVAL_MS;
  return {
    update: (bytes, { imported, refused }) => {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + LINE_INTERVAL_MS;
      const percent = totalBytes === 0 ? 100 : Math.floor((bytes / totalBytes) * 100);
      screen.write(`${percent} %: imported ${imported}, refused ${refused}\n`);
    },
    stop: () => undefined,
  };
}
