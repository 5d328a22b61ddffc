/** pino's number of the level `warn`; what is below it goes to the log file alone. */
const WARN = 40;
const ERROR = 50;

/** Columns of the text in a box: a terminal of 80 columns has room for it and the frame. */
const BOX_WIDTH = 72;

/** A line of pino. */
interface LogLine {
  level: number;
  time?: string;
  service?: string;
  msg?: string;
  err?: { message?: string };
}

/** A line that a service printed, as JSON if it is a log line. */
export function parseLogLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as LogLine;
    return typeof parsed.level === 'number' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a person at a terminal sees of a line that a service printed: an SMS in a box, warnings and
 * errors as one line each, other log lines not at all, and everything else as it is.
 */
export function readableLines(service: string, line: string): string[] {
  const sms = /^SMS to (\S+): (.*)$/.exec(line);
  if (sms) return box(`SMS to ${sms[1]}`, sms[2] ?? '');
  const log = parseLogLine(line);
  if (log === undefined) return line.trim() === '' ? [] : [`${service}: ${line}`];
  if (log.level < WARN) return [];
  const clock = log.time === undefined ? '' : `${new Date(log.time).toTimeString().slice(0, 8)} `;
  const cause = log.err?.message === undefined ? '' : `: ${log.err.message}`;
  const severity = log.level < ERROR ? 'WARN ' : 'ERROR';
  return [`${clock}${severity} ${service}: ${log.msg ?? ''}${cause}`];
}

function box(title: string, text: string): string[] {
  return [
    `┌─ ${title} ${'─'.repeat(Math.max(BOX_WIDTH - title.length - 1, 0))}┐`,
    ...wrap(text).map((row) => `│ ${row.padEnd(BOX_WIDTH)} │`),
    `└${'─'.repeat(BOX_WIDTH + 2)}┘`,
  ];
}

/** Rows of whole words; a word that is longer than a row, such as a link, gets a row of its own. */
function wrap(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + word.length <= BOX_WIDTH) {
      rows[rows.length - 1] = `${row} ${word}`;
    } else {
      rows.push(word);
    }
  }
  return rows;
}
