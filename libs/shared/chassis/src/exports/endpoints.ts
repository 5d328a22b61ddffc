import type { Endpoint } from '../http/endpoint';
import { downloadExportEndpoint } from './download-export';
import { linkExportEndpoint, unlinkExportEndpoint } from './export-links';
import type { ExportsContext } from './exports';
import { getExportEndpoint, listExportsEndpoint } from './find-export';
import { startExportEndpoint } from './start-export';

/** The endpoints of each service that makes exports; the kind in the path leads to its service. */
export const exportEndpoints: Array<Endpoint<ExportsContext>> = [
  startExportEndpoint,
  listExportsEndpoint,
  getExportEndpoint,
  linkExportEndpoint,
  unlinkExportEndpoint,
  downloadExportEndpoint,
];
