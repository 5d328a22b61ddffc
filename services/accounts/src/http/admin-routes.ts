import { BATCH_MAX_VALUES } from '@fiado/shared/chassis/http/plain-json';
import type { Route } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleApproveCornerStore } from './approve-corner-store';
import { handleCheckInvariants } from './check-invariants';
import { handleCreatePaymentProvider } from './create-payment-provider';
import { handleCreateWholesaler } from './create-wholesaler';
import { handleImportCustomers } from './import-customers';
import { handleListCornerStoreSums } from './list-corner-store-sums';
import { handleListCornerStores } from './list-corner-stores';
import { handleListDocuments } from './list-documents';
import { handleRejectCornerStore } from './reject-corner-store';
import { handleShowDocument } from './show-document';
import { handleUpdateCornerStore } from './update-corner-store';
import { handleUpdateWholesaler } from './update-wholesaler';
import * as adminStores from './operations/admin-corner-stores';
import * as wholesalers from './operations/admin-wholesalers';

const ADMIN = '/v1/admin';

/** What ops call, but for the keys. */
export function adminRoutes(context: Context): Route[] {
  return [
    ...wholesalerAdminRoutes(context),
    ...cornerStoreAdminRoutes(context),
    ...invariantRoutes(context),
  ];
}

function wholesalerAdminRoutes(context: Context): Route[] {
  return [
    {
      method: 'post',
      path: `${ADMIN}/wholesalers`,
      allow: ['ops'],
      operation: wholesalers.createWholesaler,
      handle: handleCreateWholesaler(context),
    },
    {
      method: 'put',
      path: `${ADMIN}/wholesalers/:wholesalerId`,
      allow: ['ops'],
      operation: wholesalers.updateWholesaler,
      handle: handleUpdateWholesaler(context),
    },
    {
      method: 'post',
      path: `${ADMIN}/wholesalers/:wholesalerId/customers`,
      allow: ['ops'],
      bodyLimit: '2mb',
      maxValues: BATCH_MAX_VALUES,
      operation: wholesalers.importCustomers,
      handle: handleImportCustomers(context),
    },
    {
      method: 'post',
      path: `${ADMIN}/payment-providers`,
      allow: ['ops'],
      operation: wholesalers.createPaymentProvider,
      handle: handleCreatePaymentProvider(context),
    },
  ];
}

function invariantRoutes(context: Context): Route[] {
  return [
    {
      method: 'get',
      path: `${ADMIN}/invariants/accounts`,
      allow: ['ops'],
      operation: adminStores.checkInvariants,
      handle: handleCheckInvariants(context),
    },
    {
      method: 'get',
      path: `${ADMIN}/invariants/accounts/corner-stores`,
      allow: ['ops'],
      operation: adminStores.listCornerStoreSums,
      handle: handleListCornerStoreSums(context),
    },
  ];
}

function cornerStoreAdminRoutes(context: Context): Route[] {
  return [
    {
      method: 'get',
      path: `${ADMIN}/corner-stores`,
      allow: ['ops'],
      operation: adminStores.listCornerStores,
      handle: handleListCornerStores(context),
    },
    {
      method: 'get',
      path: `${ADMIN}/corner-stores/:cornerStoreId/documents`,
      allow: ['ops'],
      operation: adminStores.listDocuments,
      handle: handleListDocuments(context),
    },
    {
      method: 'get',
      path: `${ADMIN}/corner-stores/:cornerStoreId/documents/:documentId`,
      allow: ['ops'],
      operation: adminStores.showDocument,
      handle: handleShowDocument(context),
    },
    {
      method: 'put',
      path: `${ADMIN}/corner-stores/:cornerStoreId`,
      allow: ['ops'],
      operation: adminStores.updateCornerStore,
      handle: handleUpdateCornerStore(context),
    },
    {
      method: 'post',
      path: `${ADMIN}/corner-stores/:cornerStoreId/approve`,
      allow: ['ops'],
      operation: adminStores.approveCornerStore,
      handle: handleApproveCornerStore(context),
    },
    {
      method: 'post',
      path: `${ADMIN}/corner-stores/:cornerStoreId/reject`,
      allow: ['ops'],
      operation: adminStores.rejectCornerStore,
      handle: handleRejectCornerStore(context),
    },
  ];
}
