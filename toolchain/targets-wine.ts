/** C programs by which Wine 8 runs today's executables for Windows as a test wants it. */

/** A library that Wine 8 lacks, by which Windows gives random bytes to newer programs; it exports one function. */
export const RANDOM = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T length) { return SystemFunction036(bytes, (ULONG)length); }
`;

/** Wine sets the variables that name the user's folders itself, so a test's own are set within. */
export const LAUNCH = `#include <windows.h>
static void set(const wchar_t *to, const wchar_t *from) {
  static wchar_t value[32768];
  SetLastError(0);
  DWORD length = GetEnvironmentVariableW(from, value, 32768);
  if (length > 0 || GetLastError() != ERROR_ENVVAR_NOT_FOUND) SetEnvironmentVariableW(to, length > 0 ? value : NULL);
}
int main(void) {
  set(L"USERPROFILE", L"NONZERO_USERPROFILE");
  set(L"APPDATA", L"NONZERO_APPDATA");
  set(L"LOCALAPPDATA", L"NONZERO_LOCALAPPDATA");
  wchar_t *line = GetCommandLineW();
  wchar_t end = *line == '"' ? *line++ : ' ';
  while (*line && *line != end) line++;
  if (*line == '"') line++;
  while (*line == ' ') line++;
  STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES };
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION child;
  if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 99;
  WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 99;
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}
`;
