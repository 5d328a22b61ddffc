import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { createLogger } from '@fiado/shared/chassis/logger';
import { runProcess } from '@fiado/shared/chassis/process';
import { ConsoleConfig } from './config';
import { startConsole } from './console';

const config = loadConfigOrExit(ConsoleConfig, process.env);
const log = createLogger('console', config.LOG_LEVEL);

void runProcess({ log, start: () => startConsole(config, log) });
