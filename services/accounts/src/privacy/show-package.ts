import { queryRow } from '@fiado/chassis/db/query';
import { rowExists } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/sealed-columns';
import { PACKAGE_HOURS } from './build-packages';

export const showPrivacyPackageEndpoint = endpoint({
  id: 'showPrivacyPackage',
  tag: 'Ops: privacy',
  route: 'GET /v1/admin/privacy-requests/:privacyRequestId/package',
  scope: 'approver',
  summary: 'Get the copy of what is kept of a person',
  description:
    'A ZIP file with `data.json`, the images and `leeme.html`, for 72 hours after it was made. Each access is ' +
    'audited.',
  errors: ['PRIVACY_REQUEST_NOT_FOUND', 'PRIVACY_PACKAGE_NOT_READY'],
  answer: t.binary,
  mediaType: 'application/zip',
  input: ({ id, caller: by }) => ({
    by,
    privacyRequestId: id('privacyRequestId', 'PRIVACY_REQUEST_NOT_FOUND'),
  }),
  // Opens a package. The access is audited first.
  handle: async ({ db, documents, sealer }: Context, { by, privacyRequestId }) => {
    const storageKey = await db.transaction(async (tx) => {
      if (!(await rowExists(tx, 'privacy_requests', privacyRequestId))) {
        throw new AppError('PRIVACY_REQUEST_NOT_FOUND');
      }
      const found = await queryRow<{ userId: string; storageKey: string }>(
        tx,
        `SELECT user_id, storage_key FROM privacy_packages
          WHERE request_id = $1 AND storage_key IS NOT NULL
            AND ready_at > now() - make_interval(hours => $2)`,
        [privacyRequestId, PACKAGE_HOURS],
      );
      if (found === undefined) throw new AppError('PRIVACY_PACKAGE_NOT_READY');
      const details = { privacyRequestId };
      const objectId = found.userId;
      await recordAudit(tx, { by, action: 'privacy-package.fetched', objectId, details });
      return found.storageKey;
    });
    const sealed = await documents.get(storageKey);
    return {
      privacyRequestId,
      content: sealer.openBytes(sealed, PURPOSE.privacyPackage, privacyRequestId),
    };
  },
  headers: ({ privacyRequestId }) => ({
    'Content-Disposition': `attachment; filename="datos-${privacyRequestId}.zip"`,
  }),
  present: ({ content }) => content,
});
