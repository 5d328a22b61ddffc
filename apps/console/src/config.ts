import { IsConsoleUrl } from '@fiado/shared/chassis/console-settings';
import { IsServiceUrl } from '@fiado/shared/chassis/service-config';
import { IsIntegerText } from '@fiado/shared/contracts/decorators';
import { IsIn, IsString } from 'class-validator';

/** Variables of the console. It holds no secret: it is a client of the API. */
export class ConsoleConfig {
  @IsIn(['sandbox', 'production'])
  FIADO_MODE: 'sandbox' | 'production' = 'sandbox';

  /** Address that the console listens on. Beyond this machine only behind TLS. */
  @IsString()
  CONSOLE_HOST = '127.0.0.1';

  /** Port of the console; 0 takes a free one. */
  @IsIntegerText(0, 65_535)
  CONSOLE_PORT = 3010;

  /** Where people open it: the only origin that its forms may come from. */
  @IsConsoleUrl()
  CONSOLE_URL = 'http://localhost:3010';

  /** The gateway, whose API the console uses. */
  @IsServiceUrl()
  GATEWAY_URL = 'http://127.0.0.1:3000';

  @IsString()
  LOG_LEVEL = 'info';
}
