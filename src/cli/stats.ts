import { parseMessage } from '../acp/message.ts';
import { EXIT, parse, UsageError, type Command } from './command.ts';
import { FileError, openTrace } from './trace-files.ts';
import { lineText } from '../trace/line.ts';
