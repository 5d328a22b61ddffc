import { OPS_KEY, runFiado, type Ran } from './run-fiado';
import { StandInApi } from './stand-in-api';

/** A new gateway's stand-in for each test of the file, and the command line with a key for it. */
export function useApi(): {
  api: StandInApi;
  env: Record<string, string>;
  fiado: (...args: string[]) => Promise<Ran>;
} {
  const api = new StandInApi();
  const env: Record<string, string> = { OPS_API_KEY: OPS_KEY };
  beforeEach(async () => {
    await api.start();
    env['BASE_URL'] = api.url;
  });
  afterEach(() => api.stop());
  return { api, env, fiado: (...args) => runFiado(args, env) };
}
