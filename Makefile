# Pailu (牌录). Every target works as the first command in a fresh clone: it makes .venv when it is not there.

BIN := .venv/bin
VENV := .venv/.ready
KAFKA := .kafka/.ready

.DEFAULT_GOAL := help
.PHONY: help run test lint demo chaos fuzz kafka bench mutants clean

help: ## list these targets 列出各目标
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV) ## start Pailu on http://127.0.0.1:8080 (Ctrl-C stops it) 启动
	@exec $(BIN)/pailu up

test: $(VENV) $(KAFKA) ## run the whole suite 运行全部测试
	$(BIN)/python -m pytest -n 3 --dist worksteal

lint: $(VENV) ## check style, types and import rules 检查格式、类型与依赖方向
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: $(VENV) $(if $(filter kafka,$(EVENT_LOG)),$(KAFKA)) ## watch one competition (EVENT_LOG=kafka: as many processes) 演示
	@exec $(BIN)/pailu demo $(if $(EVENT_LOG),--event-log $(EVENT_LOG))

chaos: $(VENV) $(KAFKA) ## the fault suites at length (SECONDS=600 KILLS=1000 BOUNCES=50 SEEDS=5000 BEHIND=100000) 故障测试
	$(BIN)/python -m tests.chaos --kills $(or $(KILLS),1000) --bounces $(or $(BOUNCES),50) \
		--seeds $(or $(SEEDS),5000) --behind $(or $(BEHIND),100000)
	$(BIN)/python -m tests.chaos.phones --entries $(or $(ENTRIES),10000)
	$(BIN)/python -m tests.chaos.seasons --seconds $(or $(SECONDS),600) --seed $(or $(SEED),1)

fuzz: $(VENV) ## call everything from its own document (REQUESTS=20000 SEED=…) 按接口文档随机调用
	$(BIN)/python -m tests.fuzz --requests $(or $(REQUESTS),20000) $(if $(SEED),--seed $(SEED))

kafka: $(VENV) $(KAFKA) ## start an Apache Kafka on 127.0.0.1:9092 (Ctrl-C stops it) 启动本机 Kafka
	@exec $(BIN)/pailu kafka

bench: $(VENV) $(if $(or $(findstring kafka,$(ROWS)),$(if $(ROWS),,all)),$(KAFKA)) ## measure every promise of speed as a ratio; ROWS="append fold" for some 性能测量
	@$(BIN)/python -m tests.bench $(ROWS)

mutants: $(VENV) ## change the rules in small ways and see that the tests notice; WHAT="levels follow leads" 变异检查
	@$(BIN)/python -m tests.mutation $(WHAT)

clean: ## remove .venv, builds and caches; never the data in var/ 清除环境与缓存，不动 var/ 中的数据
	rm -rf .venv .kafka build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find deploy services shared stubs tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV): requirements.lock pyproject.toml deploy/venv.sh
	@sh deploy/venv.sh

$(KAFKA): deploy/kafka.xml deploy/kafka.sh
	@sh deploy/kafka.sh
