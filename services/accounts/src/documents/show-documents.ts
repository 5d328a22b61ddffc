import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { IMAGE_WARNINGS, ONBOARDING_STEPS } from '@fiado/contracts/onboarding';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { PURPOSE } from '../db/purposes';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';
import { BlockedReadQuery, readReason, requireReason } from '../privacy/blocked-reads';

const documentAnswer = t.object('Document', {
  documentId: fields.documentId,
  step: t.field(t.oneOf(ONBOARDING_STEPS), 'Step of the onboarding'),
  wholesalerId: fields.wholesalerId,
  verificationId: fields.verificationId,
  sha256: t.field(
    t.text,
    'SHA-256 of the image, in hexadecimal',
    '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  ),
  sizeBytes: t.field(t.count, 'Size of the image in bytes', 248_112),
  width: t.field(t.count, 'Width in pixels', 1280),
  height: t.field(t.count, 'Height in pixels', 960),
  imageWarnings: t.list(
    t.oneOf(IMAGE_WARNINGS),
    'What the image does not meet: `few-bytes` below 250 KB, `many-bytes` above 1 MB, `narrow` ' +
      'below 750 pixels, `blurred`. Empty for images of releases that kept none.',
  ),
  createdAt: fields.createdAt,
});

export const listDocumentsEndpoint = endpoint({
  id: 'listDocuments',
  as: 'cornerStores.listDocuments',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/documents',
  scope: 'operator',
  summary: 'List the images of an onboarding',
  description: 'Those of a blocked store need an approver and a `reason`, which is audited.',
  query: BlockedReadQuery,
  errors: ['CORNER_STORE_NOT_FOUND', 'CORNER_STORE_IS_BLOCKED'],
  answer: t.object('DocumentList', {
    documents: t.list(documentAnswer, 'Images of the onboarding, newest first'),
  }),
  example: { documents: [] },
  input: ({ id, caller: by, query: asked }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    reason: readReason(by, asked),
  }),
  // The images of a corner store, newest first. The access is audited.
  handle: async ({ db }: Context, { by, cornerStoreId, reason }) =>
    db.transaction(async (tx) => {
      const store = await tx.manager.findOneBy(CornerStoreRow, { id: cornerStoreId });
      if (store === null) throw new AppError('CORNER_STORE_NOT_FOUND');
      requireReason(store, reason);
      await recordAudit(tx, {
        by,
        action: 'documents.listed',
        objectId: cornerStoreId,
        details: { reason },
      });
      // The images of a corner store, newest first: few, because each step takes a limited number.
      return tx.manager.find(OnboardingDocumentRow, {
        where: { cornerStoreId },
        order: { createdAt: 'DESC', id: 'DESC' },
      });
    }),
  present: (documents) => ({
    documents: documents.map((document) =>
      t.presentRow(documentAnswer, document, {
        documentId: document.id,
        sha256: document.sha256.toString('hex'),
        imageWarnings: document.warnings ?? [],
      }),
    ),
  }),
});

export const showDocumentEndpoint = endpoint({
  id: 'showDocument',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/documents/:documentId',
  scope: 'operator',
  summary: 'Get an image of an onboarding',
  description:
    'Each access is audited. An image of a blocked store needs an approver and a `reason`, which is audited too.',
  query: BlockedReadQuery,
  errors: ['CORNER_STORE_NOT_FOUND', 'CORNER_STORE_IS_BLOCKED', 'DOCUMENT_NOT_FOUND'],
  answer: t.binary,
  mediaType: 'image/jpeg',
  input: ({ id, caller: by, query: asked }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    documentId: id('documentId', 'DOCUMENT_NOT_FOUND'),
    reason: readReason(by, asked),
  }),
  // Opens a document's image. The access is audited first.
  handle: async ({ db, documents, sealer }: Context, { by, cornerStoreId, documentId, reason }) => {
    const document = await db.transaction(async (tx) => {
      const image = { id: documentId, cornerStoreId };
      const found = await tx.manager.findOneBy(OnboardingDocumentRow, image);
      const store = await tx.manager.findOneBy(CornerStoreRow, { id: cornerStoreId });
      if (found === null || store === null) throw new AppError('DOCUMENT_NOT_FOUND');
      requireReason(store, reason);
      await recordAudit(tx, {
        by,
        action: 'document.viewed',
        objectId: documentId,
        details: { cornerStoreId, reason },
      });
      return found;
    });
    const sealed = await documents.get(document.storageKey);
    return { document, image: sealer.openBytes(sealed, PURPOSE.document, documentId) };
  },
  // Served as a download, so that an uploaded file never runs in the API's origin.
  headers: ({ document: { step, id } }) => ({
    'Content-Disposition': `attachment; filename="${step.toLowerCase()}-${id}.jpg"`,
  }),
  present: ({ image }) => image,
});
