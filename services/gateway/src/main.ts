import '@fiado/chassis/process-setup';
import { loadConfigOrExit } from '@fiado/chassis/config';
import { createLogger } from '@fiado/chassis/logger';
import { runProcess } from '@fiado/chassis/process';
import { startTraced } from '@fiado/chassis/tracing/start-traced';
import { GatewayConfig } from './config';
import { startGateway } from './service';

const config = loadConfigOrExit(GatewayConfig, process.env);
const log = createLogger('gateway', config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startTraced('gateway', config, log, () => startGateway(config, { log })),
});
