#include "understand/task_concepts.h"

#include <algorithm>

namespace knapsack {
namespace {

constexpr std::string_view kConcepts = R"(
authentication: auth authenticate authentication authenticator login logout signin signup password passwd credential oauth oauth2 oidc saml sso jwt session аутентификация логин пароль вход авторизоваться сессия разлогинивать*
authorization: authorize authorization unauthorized permission permissions role rbac acl privilege forbidden авторизация роль привилегия права разрешения
caching: cache cached caching memoize memoization lru ttl redis memcached invalidation кэш* кеш*
concurrency: thread threading threadsafe mutex lock deadlock race async await asyncio coroutine goroutine parallel concurrency concurrent semaphore atomic многопоточность поток потокобезопасный блокировка гонка параллельный асинхронный мьютекс корутина
configuration: config configuration configure setting settings env dotenv toml ini конфиг* настройка настройки
database: database db sql sqlite postgres postgresql mysql mongodb orm migration schema transaction query queryset foreign бд база субд запрос транзакция миграция таблица
dependencies: dependency dependencies package requirements lockfile upgrade зависимость зависимости
deployment: deploy deployment docker dockerfile kubernetes helm container ci pipeline развертывание деплой контейнер
build: build cmake makefile compile compiler linker webpack gradle maven bundler toolchain сборка собирать* компиляция компилятор
cli: cli command argv argparse flag subcommand terminal stdin stdout консоль терминал командный флаг
documentation: doc docs documentation readme docstring changelog tutorial документация документирование ридми опечатка
filesystem: file directory folder path filesystem symlink файл каталог папка путь директория
internationalization: i18n l10n locale translation translate gettext localization unicode encoding utf8 utf локализация перевод кодировка локаль
logging: log logs logger logging verbose журнал* лог логи логирование логгер
memory: memory leak allocation allocator heap oom gc память утечка аллокация
messaging: queue broker kafka rabbitmq pubsub celery amqp webhook очередь брокер вебхук
monitoring: metric metrics monitoring prometheus telemetry tracing alert метрика мониторинг телеметрия
networking: network http https tcp udp socket websocket dns proxy tls request timeout сеть сетевой сокет прокси таймаут
parsing: parse parser parsing lexer tokeniz* grammar ast syntax парсер* парсинг разбор грамматика синтаксис лексер
payments: payment invoice billing checkout refund stripe платеж платёж оплата счет счёт
performance: performance slow latency throughput benchmark optimize optimization bottleneck profiling производительность медленный медленно оптимизация тормоз* задержка
rendering: render rendering template layout css canvas svg viewport рендер* отрисов* шаблон верстка вёрстка
resilience: retry retries backoff fallback failover ретрай* повторный
routing: route router routing endpoint url redirect маршрут маршрутизация роут* эндпоинт
scheduling: schedule scheduler cron job timer расписание планировщик таймер крон
search: search searching fulltext ranking autocomplete поиск искать ранжирование
security: security vulnerability xss csrf injection sanitize encrypt encryption decrypt secret cve безопасность уязвимость шифрование инъекция секрет
serialization: serialize serializer serialization deserialize json yaml xml protobuf marshal unmarshal pickle сериализ* десериализ*
storage: storage upload download blob s3 bucket хранилище загрузка скачивание выгрузка
testing: test tests testing pytest unittest mock fixture coverage flaky тест тесты тестирование покрытие мок
time: date datetime timezone timestamp utc дата время часовой
typing: type typing annotation generic mypy типизация аннотация дженерик
ui: ui button modal dropdown widget tooltip form page кнопка окно форма страница интерфейс виджет
validation: validate validation validator invalid constraint валидация проверка валидатор
)";

}  // namespace

const Lexicon& concept_lexicon() {
  static const Lexicon lexicon(kConcepts);
  return lexicon;
}

std::vector<std::string> find_concepts(const std::vector<std::string>& words) {
  const Lexicon& lexicon = concept_lexicon();
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (found.size() == lexicon.names().size()) break;
    for (const size_t row : lexicon.find(word)) {
      const std::string& name = lexicon.names()[row];
      if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    }
  }
  return found;
}

}  // namespace knapsack
