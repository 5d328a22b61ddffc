import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { CommandFailed, NotAsked, UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import type { Session } from '../session';

/** Only its owner may read the copy: it is all that is kept of a person. */
const PRIVATE_FILE_MODE = 0o600;

/** fiado privacy package | verify. */
export function addPrivacyCommands(program: CliCommand): void {
  const privacy = nounOf(program, 'privacy');
  privacy
    .command('package')
    .description(
      'write the copy of what is kept of a person to <file>, a ZIP that only you may read; for 72 hours after the ' +
        'request is done, and each download is audited',
    )
    .argument('<privacyRequestId>', '', id)
    .argument('<file>', 'path of the new ZIP file; it must not exist')
    .example('fiado privacy package 0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45 copy.zip')
    .work(downloadPackage);
  privacy
    .command('verify')
    .description(
      'check what was erased: what each service still has, and the hashes of the reports',
    )
    .argument('<id>', 'the id of a cancellation, or of one of its erasures', id)
    .example('fiado privacy verify 0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45')
    .work(verifyErasure);
}

/** @throws CommandFailed when something is left or a report was changed; NotAsked when a service is down */
async function verifyErasure({ ops, out }: Session, requestOrErasure: string): Promise<void> {
  const check = await ops.privacyRequests.verify(requestOrErasure);
  out.result(check, () => erasureLines(check).join('\n'));
  if (check.left.length > 0) throw new CommandFailed('data of the person are left');
  if (!check.reports.every(({ holds }) => holds)) {
    throw new CommandFailed('a report is not as it was written');
  }
  if (check.unavailable.length > 0) {
    throw new NotAsked(`could not be asked: ${check.unavailable.join(', ')}; try again`);
  }
}

function erasureLines({ reports, left, unavailable }: AnswerOf<'verifyErasure'>): string[] {
  const asked = unavailable.length === 0 ? 'No service' : 'No service that could be asked';
  const none = left.length === 0 ? [`${asked} has data of the person`] : [];
  return [
    ...reports.map(
      ({ erasureId, phase, sha256, recordedSha256, auditedSha256, holds }) =>
        `report of ${phase} ${erasureId}: ` +
        (holds
          ? `as written, SHA-256 ${sha256}`
          : `CHANGED: its SHA-256 is ${sha256}, recorded ${recordedSha256}, audited ${auditedSha256 ?? '-'}`),
    ),
    ...left.map(
      ({ service, table, column, rows }) => `LEFT: ${service} ${table}.${column}: ${rows}`,
    ),
    ...none,
  ];
}

/** @throws UsageError when the file exists; CommandFailed when there is no package */
async function downloadPackage(
  { download, out }: Session,
  privacyRequestId: string,
  file: string,
): Promise<void> {
  // Each access is audited: none for a file that could not be written.
  if (existsSync(file)) throw new UsageError(`${file} exists already`);
  const content = await download(`/privacy-requests/${privacyRequestId}/package`);
  await writeFile(file, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' });
  out.record({ file, bytes: content.length });
}
