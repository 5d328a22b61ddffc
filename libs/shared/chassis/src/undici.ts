import api = require('undici/lib/api');
import Dispatcher from 'undici/lib/dispatcher/dispatcher';

/**
 * What Fiado uses of undici. Its index also loads fetch, WebSockets, caches and mocks: 80 modules, 60 ms and 8 MB in
 * each process.
 */
export { default as buildConnector } from 'undici/lib/core/connect';
export { default as Agent } from 'undici/lib/dispatcher/agent';
export { default as Client } from 'undici/lib/dispatcher/client';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent';
export { default as Pool } from 'undici/lib/dispatcher/pool';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent';
export { Dispatcher };

// As the index does: each dispatcher gets `request` and its like.
Object.assign(Dispatcher.prototype, api);
