import '@fiado/chassis/process-setup';
import { loadConfigOrExit } from '@fiado/chassis/config';
import { createLogger } from '@fiado/chassis/logger';
import { runProcess } from '@fiado/chassis/process';
import { ConsoleConfig } from './config';
import { startConsole } from './console';

const config = loadConfigOrExit(ConsoleConfig, process.env);
const log = createLogger('console', config.LOG_LEVEL);

void runProcess({ log, start: () => startConsole(config, log) });
