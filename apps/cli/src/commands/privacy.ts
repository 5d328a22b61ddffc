import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import {
  IDENTITY_PROOFS,
  type IdentityProof,
  PRIVACY_ANSWERS,
  PRIVACY_CHANNELS,
  PRIVACY_REASONS,
  PRIVACY_REQUEST_KINDS,
  PRIVACY_REQUEST_STATUSES,
  type PrivacyAnswer,
  type PrivacyChannel,
  type PrivacyReason,
  type PrivacyRequestKind,
} from '@fiado/contracts/privacy';
import type { AnswerOf, QueryOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { CommandFailed, NotAsked, UsageError } from '../errors';
import { printChange } from '../output';
import type { Session } from '../session';

const COLUMNS = [
  'privacyRequestId',
  'userId',
  'kind',
  'status',
  'answerDueAt',
  'executionDueAt',
  'reasonCode',
] as const;

/** Only its owner may read the copy: it is all that is kept of a person. */
const PRIVATE_FILE_MODE = 0o600;

/** fiado privacy list | show | open | answer | package | verify. */
export function addPrivacyCommands(program: CliCommand): void {
  const privacy = program
    .command('privacy')
    .description('what persons ask about their own data, and its answers');

  privacy
    .list('list')
    .description('list the requests, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(PRIVACY_REQUEST_STATUSES))
    .addOption(new Option('--kind <kind>', 'only these').choices(PRIVACY_REQUEST_KINDS))
    .option('--user-id <userId>', 'only of this person', id)
    .option('--due-before <day>', 'only what is due by this day or moment')
    .example('fiado privacy list --status open --due-before 2026-12-24')
    .pages(
      ({ ops }, query: QueryOf<'listPrivacyRequests'>) => ops.privacyRequests.list(query),
      (page) => page.privacyRequests,
      COLUMNS,
    );

  privacy
    .command('show')
    .description(
      'print a request: times and answer, the consents of its person, the steps of a cancellation with their reports; ' +
        'no name, and no file (the copy of an access request: privacy package)',
    )
    .argument('<privacyRequestId>', '', id)
    .example('fiado privacy show 0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45')
    .work(async ({ ops, out }, privacyRequestId: string) =>
      out.record(await ops.privacyRequests.get(privacyRequestId)),
    );
  addOpen(privacy);
  addAnswer(privacy);
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

interface OpenOptions {
  kind: PrivacyRequestKind;
  channel: PrivacyChannel;
  identityProof: IdentityProof;
  receivedAt?: string;
}

function addOpen(privacy: CliCommand): void {
  privacy
    .command('open')
    .description('record a request; its clock starts')
    .argument('<userId>', '', id)
    .addOption(
      new Option('--kind <kind>', 'what the person asks')
        .choices(PRIVACY_REQUEST_KINDS)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--channel <channel>', 'how it came')
        .choices(PRIVACY_CHANNELS)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--identity-proof <proof>', 'how the person proved who they are')
        .choices(IDENTITY_PROOFS)
        .makeOptionMandatory(),
    )
    .option('--received-at <time>', 'when it came, with an offset (default: now)')
    .example(
      'fiado privacy open 9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44 --kind access --channel email --identity-proof official-id',
    )
    .work(async ({ ops, out }, userId: string, options: OpenOptions) =>
      out.record(await ops.privacyRequests.open({ userId, ...options })),
    );
}

interface AnswerOptions {
  reason?: PrivacyReason;
  firstName?: string;
  lastNames?: string;
  cornerStoreName?: string;
  phone?: string;
}

function addAnswer(privacy: CliCommand): void {
  privacy
    .command('answer')
    .description('grant, refuse or extend a request; corrections are of a rectification')
    .argument('<privacyRequestId>', '', id)
    .argument('<outcome>', PRIVACY_ANSWERS.join(', '), outcomeOf)
    .addOption(
      new Option('--reason <code>', 'why it is refused or extended').choices(PRIVACY_REASONS),
    )
    .option('--first-name <name>', 'the right first name')
    .option('--last-names <names>', 'the right last names')
    .option('--corner-store-name <name>', 'the right name of the store')
    .option('--phone <phone>', 'the right phone number')
    .example('fiado privacy answer 0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45 refused --reason no-data')
    .work(
      async (
        { ops, out },
        privacyRequestId: string,
        outcome: PrivacyAnswer,
        given: AnswerOptions,
      ) => {
        const { reason: reasonCode, phone: phoneNumber, ...names } = given;
        const corrections = { ...names, ...(phoneNumber !== undefined && { phoneNumber }) };
        const answer = await ops.privacyRequests.answer(privacyRequestId, {
          outcome,
          ...(reasonCode !== undefined && { reasonCode }),
          ...(Object.keys(corrections).length > 0 && { corrections }),
        });
        printChange(out, answer);
      },
    );
}

function outcomeOf(text: string): PrivacyAnswer {
  const outcome = PRIVACY_ANSWERS.find((one) => one === text);
  if (outcome === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${PRIVACY_ANSWERS.join(', ')}.`);
  }
  return outcome;
}
