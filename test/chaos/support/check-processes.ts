import type { ChildProcess } from 'node:child_process';
import type { ProcessName } from '@fiado/contracts/process-names';
import type { Deployment } from './deployment';
import { wasHit, type Damage } from './inflict';

const ENDED = /^(gateway|accounts|transactions|payments|notifier) (?:ended with code|could not)/;
/** Lines that may never come, whatever fails. */
const DEAD_LETTER = /"msg":"(?:job failed for good|dead letter found)"/;

interface Line {
  at: number;
  text: string;
}

/** Everything that the processes print, with its time. */
export class Output {
  readonly lines: Line[] = [];

  constructor({ system }: Deployment) {
    this.follow(system.supervisor);
  }

  /** Listens to one more process. */
  follow({ stdout, stderr }: ChildProcess): void {
    let begun = '';
    const listen = (chunk: Buffer) => {
      const texts = (begun + chunk.toString()).split('\n');
      begun = texts.pop() ?? '';
      this.lines.push(...texts.map((text) => ({ at: Date.now(), text })));
    };
    stdout?.on('data', listen);
    stderr?.on('data', listen);
  }
}

/** No process ended but those that were killed, and no job became a dead letter unasked. */
export function checkProcesses(output: Output, damage: Damage): string[] {
  return output.lines.flatMap(({ at, text }) => {
    if (DEAD_LETTER.test(text)) {
      return damage.deadLetters.some((id) => text.includes(id)) ? [] : [text];
    }
    const service = ENDED.exec(text)?.[1] as ProcessName | undefined;
    if (service === undefined) return [];
    // A killed process may find the database down at its start, and is started again.
    return wasHit(damage, service, { from: at, to: at + 1 }) ? [] : [`${text} (nobody killed it)`];
  });
}
