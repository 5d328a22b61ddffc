import type { ServiceOutput } from './output/service-output';
import { portProblem } from './ports';
import type { Say } from './say';
import { consoleEnvironmentOf, type Installation } from './service-environment';
import { ServiceProcess } from './service-process';

export interface ConsoleOptions {
  installation: Installation;
  script: string;
  say: Say;
  output: ServiceOutput;
}

/**
 * Starts the console's process, which is started again when it dies. Fiado runs without it: whatever
 * keeps it from running is printed and stops nothing.
 * @returns undefined when its port is taken
 */
export async function startConsole({
  installation,
  script,
  say,
  output,
}: ConsoleOptions): Promise<ServiceProcess | undefined> {
  const problem = await portProblem(installation.config, 'CONSOLE_HOST', 'CONSOLE_PORT');
  if (problem !== undefined) {
    say(`Fiado runs without its console: ${problem}`);
    return undefined;
  }
  const console = new ServiceProcess({
    name: 'console',
    script,
    env: consoleEnvironmentOf(installation),
    say,
    output,
    onRefused: () =>
      say('Fiado runs without its console, which rejected its configuration: see above'),
  });
  console.start();
  return console;
}
