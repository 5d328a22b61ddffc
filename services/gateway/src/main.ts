import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { startTraced } from '@fiado/shared/chassis/tracing/start-traced';
import { GatewayConfig } from './config';
import { startGateway } from './gateway';

const config = loadConfigOrExit(GatewayConfig, process.env);
const log = createLogger('gateway', config.LOG_LEVEL);

void runProcess({
  log,
  start: () => startTraced('gateway', config, log, () => startGateway(config, { log })),
});
