import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import { NameServer } from '../support/name-server';
import type { Drills, Ground } from './drill';

const ADDRESS = '127.77.0.1';

/** Every process finds the stores, Twilio and the other services by names that a DNS server of the drill answers. */
export const dns: Drills = {
  open,
  isolated: true,
  faults: {
    'DNS does not answer': {
      faultMs: 60_000,
      runbook: 'errors',
      inflict: async (ground) => {
        const { names } = ground as NamedGround;
        names.isSilent = true;
        const before = names.queries;
        return async () => {
          const measured = [`${names.queries - before} queries without an answer`];
          names.isSilent = false;
          return { measured };
        };
      },
    },
  },
};

interface NamedGround extends Ground {
  names: NameServer;
}

async function open(): Promise<NamedGround> {
  const names = await NameServer.start(ADDRESS);
  const folder = await mkdtemp(join(tmpdir(), 'fiado-chaos-dns-'));
  const file = join(folder, 'resolv.conf');
  await writeFile(file, `nameserver ${ADDRESS}\n`);
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
  const deployment = await startDeployment('redis', {
    two: ['transactions'],
    // A name may be that of another machine.
    variables: { FIADO_MODE: 'sandbox' },
    stepBetween: ({ environment }) => Promise.resolve(byName(environment)),
  });
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  const dispose = async () => {
    execFileSync('umount', ['/etc/resolv.conf']);
    await names.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { deployment, second, names, dispose };
}

/** The addresses of this machine in the variables, as names. */
function byName(environment: Record<string, string>): Record<string, string> {
  const named = Object.entries(environment)
    .filter(([variable]) => variable.endsWith('_URL'))
    .map(([variable, value]) => {
      const host = `${variable.toLowerCase().replaceAll('_', '-')}.fiado.test`;
      return [variable, value.replaceAll('127.0.0.1', host)] as const;
    });
  return Object.fromEntries(named);
}
