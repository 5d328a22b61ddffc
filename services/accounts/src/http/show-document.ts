import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { showDocument } from '../use-cases/show-document';

export const showDocumentEndpoint = endpoint({
  id: 'showDocument',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/documents/:documentId',
  scope: 'operator',
  summary: 'Get an image of an onboarding',
  description: 'Each access is audited.',
  errors: ['CORNER_STORE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  answer: t.binary,
  mediaType: 'image/jpeg',
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    documentId: id('documentId', 'DOCUMENT_NOT_FOUND'),
  }),
  handle: showDocument,
  // Served as a download, so that an uploaded file never runs in the API's origin.
  headers: ({ document: { step, id } }) => ({
    'Content-Disposition': `attachment; filename="${step.toLowerCase()}-${id}.jpg"`,
  }),
  present: ({ image }) => image,
});
