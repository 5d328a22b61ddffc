import { createLogger, type Logger } from '@fiado/chassis/logger';

/** Every line that is logged, as JSON. */
export function recordingLogger(): { log: Logger; lines: () => string[] } {
  const lines: string[] = [];
  const log = createLogger('gateway', 'silent');
  for (const level of ['info', 'warn', 'error'] as const) {
    log[level] = (...entry: unknown[]) => void lines.push(JSON.stringify([...entry, level]));
  }
  return { log, lines: () => lines };
}
