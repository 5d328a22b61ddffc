import { endpoint } from '@fiado/chassis/http/endpoint';
import { ONBOARDING_STEPS } from '@fiado/contracts/onboarding';
import * as t from '@fiado/chassis/openapi/json-schema';
import { listDocuments } from '../use-cases/list-documents';

export const listDocumentsEndpoint = endpoint({
  id: 'listDocuments',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/documents',
  scope: 'operator',
  summary: 'List the images of an onboarding',
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.object('DocumentList', {
    documents: t.listOf(
      t.object('Document', {
        documentId: t.uuid,
        step: t.oneOf(ONBOARDING_STEPS),
        wholesalerId: t.uuid,
        verificationId: t.uuid,
        sha256: t.text,
        sizeBytes: t.count,
        width: t.count,
        height: t.count,
        createdAt: t.timestamp,
      }),
    ),
  }),
  example: { documents: [] },
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: listDocuments,
  present: (documents) => ({
    documents: documents.map((document) => ({
      documentId: document.id,
      step: document.step,
      wholesalerId: document.wholesalerId,
      verificationId: document.verificationId,
      sha256: document.sha256.toString('hex'),
      sizeBytes: document.sizeBytes,
      width: document.width,
      height: document.height,
      createdAt: document.createdAt.toISOString(),
    })),
  }),
});
